/** A link to a pipeline or a saved query, by the word that the API or people have for its kind. */
import { Text } from "@mantine/core";
import { TextLink } from "../components/links";
import { KINDS } from "./pipelines/kinds";

interface Props {
  kind: string;
  id: string;
  name: string;
}

export function KindLink({ kind, id, name }: Props) {
  const page = pageOf(kind);
  if (page) {
    return (
      <TextLink to={page} params={{ pipelineId: id }} fw={600}>
        {name}
      </TextLink>
    );
  }
  if (kind === "saved query") {
    return (
      <TextLink to="/sql" search={{ saved: id }} fw={600}>
        {name}
      </TextLink>
    );
  }
  return (
    <Text span fw={600}>
      {name}
    </Text>
  );
}

/** Where pipelines of this kind have their page, be it called “query”, “pipeline_query” or “pipeline query”. */
export function pageOf(kind: string) {
  const word = kind.replaceAll("_", " ").replace(/^lakehouse /, "");
  return KINDS.find((one) => one.one === word || one.name === word)?.page;
}
