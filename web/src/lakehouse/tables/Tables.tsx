/** Every table that one may see. */
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../../components/Page";
import { LayerFilter } from "../LayerFilter";
import { NewTable } from "./NewTable";
import { TableList } from "./TableList";

const route = getRouteApi("/inside/tables");

export function Tables() {
  const { layer } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Tables"
      about="What was landed and made, with the level you have on it."
      actions={<NewTable layer={layer} />}
    >
      <TableList
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
