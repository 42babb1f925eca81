/** Another password, for who knows the old one. */
import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Told } from "../../components/Told";
import { handsLinksOver, useMe } from "../session";

export function Password() {
  const me = useMe();
  const [before, setBefore] = useState("");
  const [after, setAfter] = useState("");
  const change = useMutation({
    mutationFn: () => take(api.POST("/api/v1/me/password", { body: { old_password: before, new_password: after } })),
    onSuccess: () => {
      setBefore("");
      setAfter("");
      notifications.show({ message: "Your password is changed." });
    },
  });
  if (!me.has_password) {
    return (
      <Text>
        You have no password.{" "}
        {handsLinksOver(me)
          ? "Ask a tenant owner or admin for a link with which you set one."
          : "Sign out, and have a link sent to you with which you set one."}
      </Text>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <PasswordInput
          label="Password until now"
          name="old_password"
          autoComplete="current-password"
          required
          value={before}
          onChange={(event) => setBefore(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          name="new_password"
          description="At least twelve characters; a few words in a row are good."
          autoComplete="new-password"
          required
          value={after}
          onChange={(event) => setAfter(event.currentTarget.value)}
        />
        <Told error={change.error} />
        <Button type="submit" loading={change.isPending} w="fit-content">
          Change it
        </Button>
      </Stack>
    </form>
  );
}
