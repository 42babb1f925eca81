/** Every table that one may see. */
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../../components/Page";
import { LayerFilter } from "../LayerFilter";
import { NewTable } from "./NewTable";
import { TableList } from "./TableList";

const route = getRouteApi("/inside/tables");

export function Tables() {
  const { layer, ...narrowed } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Tables"
      about="What was landed and made, with the level you have on it."
      actions={<NewTable layer={layer} />}
    >
      <TableList
        layer={layer}
        narrowed={narrowed}
        onNarrow={(now) => navigate({ search: { layer, ...now }, replace: true })}
        filters={
          <LayerFilter
            value={layer}
            onChange={(value) => navigate({ search: { ...narrowed, layer: value }, replace: true })}
          />
        }
      />
    </Page>
  );
}
