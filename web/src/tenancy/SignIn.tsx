/** Signing in: by password, by a link that is sent, or by the link that led here. */
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, take } from "../api/client";
import { Told } from "../components/Told";
import { ConfirmSignIn, useLinkSecret } from "./ByLink";
import { Entrance } from "./Entrance";
import { startAnew } from "./session";

const route = getRouteApi("/sign-in");

export function SignIn() {
  const secret = useLinkSecret();
  return secret ? <ConfirmSignIn secret={secret} /> : <ByPassword />;
}

function ByPassword() {
  const { to } = route.useSearch();
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () => take(api.POST("/api/v1/session", { body: { email, password, as: "browser" } })),
    onSuccess: async () => {
      startAnew();
      await navigate({ to: to ?? "/" });
    },
  });
  const askFor = useMutation({
    mutationFn: (purpose: "sign_in" | "reset_password") =>
      take(api.POST("/api/v1/links", { body: { email, purpose } })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    askFor.reset();
    signIn.mutate();
  };
  const send = (purpose: "sign_in" | "reset_password") => {
    signIn.reset(); // what went wrong with the password is not what is spoken of any more
    askFor.mutate(purpose);
  };
  return (
    <Entrance title="Sign in">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="E-mail address"
            name="email"
            inputMode="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Told error={signIn.error ?? askFor.error} />
          {askFor.data && (
            <Text size="sm" role="status">
              {askFor.data.detail}
            </Text>
          )}
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            No password, or forgotten? Type your address, and have{" "}
            <LinkToSend disabled={!email} onClick={() => send("sign_in")}>
              a link to sign in
            </LinkToSend>{" "}
            or{" "}
            <LinkToSend disabled={!email} onClick={() => send("reset_password")}>
              a link to set a new password
            </LinkToSend>{" "}
            sent to you.
          </Text>
        </Stack>
      </form>
    </Entrance>
  );
}

/** As long as there is no address to send it to, it looks like the text around it. */
function LinkToSend({ disabled, onClick, children }: { disabled: boolean; onClick: () => void; children: string }) {
  return (
    <Anchor
      component="button"
      type="button"
      inherit
      disabled={disabled}
      c={disabled ? "dimmed" : undefined}
      underline={disabled ? "never" : "hover"}
      style={{ cursor: disabled ? "not-allowed" : undefined }}
      onClick={onClick}
    >
      {children}
    </Anchor>
  );
}
