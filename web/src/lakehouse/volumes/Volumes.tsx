/** Every volume that one may see. */
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../../components/Page";
import { LayerFilter } from "../LayerFilter";
import { NewVolume } from "./NewVolume";
import { VolumeList } from "./VolumeList";

const route = getRouteApi("/inside/volumes");

export function Volumes() {
  const { layer } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="Volumes" about="Files, as they were dropped, sent or written." actions={<NewVolume layer={layer} />}>
      <VolumeList
        layer={layer}
        unfilter={layer ? () => navigate({ search: {}, replace: true }) : undefined}
        filters={
          <LayerFilter
            value={layer}
            onChange={(value) => navigate({ search: (before) => ({ ...before, layer: value }), replace: true })}
          />
        }
      />
    </Page>
  );
}
