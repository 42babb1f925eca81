/** One volume: its files, what uses them, and who reaches it. */
import { Group } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api, type Schemas, take } from "../../api/client";
import { History } from "../../audit/History";
import { Fact } from "../../components/Fact";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { Page } from "../../components/Page";
import { type Part, Parts } from "../../components/Parts";
import { Facts, ResourcePage } from "../../components/ResourcePage";
import { SharePanel } from "../../components/SharePanel";
import { Access } from "../Access";
import { DeleteByName } from "../DeleteByName";
import { Describe } from "../Describe";
import { Level } from "../Level";
import type { VolumePart } from "../parts";
import { UsedBy } from "../UsedBy";
import { BeforeLeaving } from "./BeforeLeaving";
import { Files } from "./Files";
import { UploadList } from "./UploadList";
import { useUploads } from "./useUploads";

const route = getRouteApi("/inside/volumes/$volumeId");

export function VolumePage() {
  const { volumeId } = route.useParams();
  return (
    <ResourcePage
      query={{
        queryKey: ["volumes", volumeId],
        queryFn: () => take(api.GET("/api/v1/volumes/{volume_id}", { params: { path: { volume_id: volumeId } } })),
      }}
    >
      {(volume) => <Shown key={volume.id} volume={volume} />}
    </ResourcePage>
  );
}

function Shown({ volume }: { volume: Schemas["VolumeOut"] }) {
  const { part, folder = "" } = route.useSearch();
  const go = route.useNavigate();
  const navigate = useNavigate();
  const uploads = useUploads(volume.id);
  const parts: Part<VolumePart>[] = [
    { name: "files", label: "Files", show: () => <Files volume={volume} folder={folder} uploads={uploads} /> },
    { name: "uses", label: "Who uses it", show: () => <UsedBy thing={{ type: "volume", id: volume.id }} /> },
    { name: "access", label: "Access", show: () => <Access on={{ type: "volume", id: volume.id }} /> },
    { name: "history", label: "History", show: () => <History type="volume" id={volume.id} /> },
  ];
  return (
    <Page
      title={volume.full_name}
      about={volume.description}
      actions={
        <Group justify="flex-end">
          <SharePanel on={{ type: "volume", id: volume.id, name: volume.full_name }} actions={volume.actions} />
          <Describe
            type="volume"
            thing={volume}
            save={({ description }) =>
              take(
                api.PATCH("/api/v1/volumes/{volume_id}", {
                  params: { path: { volume_id: volume.id }, header: { "If-Match": `"${volume.version}"` } },
                  body: { description },
                }),
              )
            }
          />
          <DeleteByName
            thing={{ ...volume, type: "volume" }}
            lost="All files in it are deleted."
            act={() =>
              api.DELETE("/api/v1/volumes/{volume_id}", {
                params: {
                  path: { volume_id: volume.id },
                  query: { confirm: volume.full_name },
                  header: { "If-Match": `"${volume.version}"` },
                },
              })
            }
            onGone={() => navigate({ to: "/volumes" })}
          />
        </Group>
      }
    >
      <Facts>
        <Fact name="Layer">
          <TextLink to="/layers/$layerId" params={{ layerId: volume.layer.id }} search={{ part: "volumes" }}>
            {volume.layer.name}
          </TextLink>
        </Fact>
        <Fact name="Made">
          <Moment at={volume.created_at} />
        </Fact>
        <Fact name="Your level">
          <Level on={volume} />
        </Fact>
      </Facts>
      <UploadList {...uploads} />
      <Parts parts={parts} shown={part} onShow={(name) => go({ search: { part: name } })} />
      <BeforeLeaving busy={uploads.busy} />
    </Page>
  );
}
