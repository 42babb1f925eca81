/** Where one is in a volume, each folder on the way a link. */
import { Breadcrumbs, Text } from "@mantine/core";
import { TextLink } from "../../components/links";

interface Props {
  volumeId: string;
  name: string;
  folder: string;
}

export function FolderPath({ volumeId, name, folder }: Props) {
  const names = folder ? folder.split("/") : [];
  const steps = [name, ...names].map((label, depth) => ({ label, path: names.slice(0, depth).join("/") }));
  return (
    <Breadcrumbs component="nav" aria-label="Folders" mb="sm">
      {steps.map(({ label, path }) =>
        path === folder ? (
          <Text key={path} fw={600}>
            {label}
          </Text>
        ) : (
          <TextLink key={path} to="/volumes/$volumeId" params={{ volumeId }} search={{ folder: path || undefined }}>
            {label}
          </TextLink>
        ),
      )}
    </Breadcrumbs>
  );
}
