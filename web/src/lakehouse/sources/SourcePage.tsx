/** One source: its streams, where it points, its runs and what starts them. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../api/client";
import { Fact } from "../../components/Fact";
import { TextLink } from "../../components/links";
import { SOURCE } from "../pipelines/kinds";
import { PipelineFrame } from "../pipelines/PipelineFrame";
import { ConnectionPart } from "./ConnectionPart";
import { labelOf } from "./connection";
import { Streams } from "./Streams";
import { hasStream } from "./streams";

const route = getRouteApi("/inside/sources/$pipelineId");

export function SourcePage() {
  const { pipelineId } = route.useParams();
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const readsNothing = useQuery(hasStream(pipelineId, true)).data === false;
  return (
    <PipelineFrame
      kind={SOURCE}
      id={pipelineId}
      read={(pipeline_id) => take(api.GET("/api/v1/sources/{pipeline_id}", { params: { path: { pipeline_id } } }))}
      shown={part}
      first={
        readsNothing && (
          <>
            It reads nothing yet:{" "}
            <TextLink
              to="/sources/$pipelineId"
              params={{ pipelineId }}
              search={{ part: "streams" }}
              size="xs"
              underline="always"
            >
              choose its streams
            </TextLink>{" "}
            first.
          </>
        )
      }
      onShow={(name) => navigate({ search: { part: name } })}
      facts={(source) => (
        <>
          <Fact name="Reads">{labelOf(source.connection.type)}</Fact>
          <Fact name="Lands in">{source.output_layer?.name}</Fact>
        </>
      )}
      parts={(source) => [
        { name: "streams", label: "Streams", show: () => <Streams source={source} /> },
        { name: "what", label: "Connection", show: () => <ConnectionPart source={source} /> },
      ]}
    />
  );
}
