/** Asking a source whether it answers. */
import { Alert, Button, Stack } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Told } from "../../components/Told";
import { useOnce } from "../../runs/once";
import { look } from "./look";

export function TestConnection({ sourceId }: { sourceId: string }) {
  const test = useMutation({ mutationFn: () => look("test", sourceId) });
  const testOnce = useOnce(test);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={16} />}
        loading={test.isPending}
        onClick={() => testOnce()}
      >
        Test the connection
      </Button>
      <Told error={test.error} />
      {test.data?.problem && (
        <Alert color="red" variant="light" title={test.data.problem.message} role="alert">
          {test.data.problem.fix}
        </Alert>
      )}
      {test.data && !test.data.problem && (
        <Alert variant="light" role="status" title="It answers">
          {test.data.says}
        </Alert>
      )}
    </Stack>
  );
}
