/** Links that somebody was sent: what one is for is looked at first, and it is used only when the holder confirms. */
import { Button, Loader, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { ButtonLink } from "../components/links";
import { Told } from "../components/Told";
import { Entrance } from "./Entrance";
import { startAnew } from "./session";

type Looked = Schemas["LinkOut"];

/** What follows the # in the address. It is taken out of it at once, so that no history or screen keeps it. */
export function useLinkSecret(): string {
  const [secret, setSecret] = useState(takeSecret);
  useEffect(() => {
    // Another link, opened where one was open already.
    const follow = () => setSecret((before) => takeSecret() || before);
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return secret;
}

function takeSecret(): string {
  const found = window.location.hash.slice(1);
  if (found) window.history.replaceState(window.history.state, "", window.location.pathname);
  return found;
}

/** Once used, a link has led in. */
function useEntering<Sent>(enter: (sent: Sent) => Promise<unknown>) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: enter,
    onSuccess: async () => {
      startAnew();
      await navigate({ to: "/" });
    },
  });
}

function Looking({
  secret,
  title,
  children,
}: {
  secret: string;
  title: string;
  children: (link: Looked) => ReactNode;
}) {
  const look = useQuery({
    queryKey: ["link", secret],
    queryFn: () => take(api.POST("/api/v1/links/look", { body: { secret } })),
    enabled: secret !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (look.data) return <Entrance title={title}>{children(look.data)}</Entrance>;
  return (
    <Entrance title={title}>
      {secret === "" ? (
        <Text>This page is reached by a link that was sent to you. Open the whole link again.</Text>
      ) : look.error ? (
        <Told error={look.error} />
      ) : (
        <Loader size="sm" />
      )}
      <ButtonLink to="/sign-in" variant="light">
        Go to signing in
      </ButtonLink>
    </Entrance>
  );
}

export function ConfirmSignIn({ secret }: { secret: string }) {
  const enter = useEntering(() => take(api.POST("/api/v1/links/sign-in", { body: { secret, as: "browser" } })));
  return (
    <Looking secret={secret} title="Sign in">
      {(link) => (
        <Stack>
          <Text>
            Signing in as <b>{link.name}</b> ({link.email}). The link works once.
          </Text>
          <Told error={enter.error} />
          <Button onClick={() => enter.mutate(undefined)} loading={enter.isPending} autoFocus>
            Sign in
          </Button>
        </Stack>
      )}
    </Looking>
  );
}

export function Join() {
  const secret = useLinkSecret();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const enter = useEntering((sent: { name: string; password: string }) =>
    take(
      api.POST("/api/v1/links/join", {
        body: { secret, password: sent.password, name: sent.name || null, time_zone: zone || null, as: "browser" },
      }),
    ),
  );
  return (
    <Looking secret={secret} title="Welcome">
      {(link) => (
        <Choose
          about={`You were invited as ${link.name} (${link.email}). Choose a password to come in.`}
          named
          done="Join"
          error={enter.error}
          pending={enter.isPending}
          onChosen={enter.mutate}
        />
      )}
    </Looking>
  );
}

export function ResetPassword() {
  const secret = useLinkSecret();
  const enter = useEntering((sent: { password: string }) =>
    take(api.POST("/api/v1/links/reset-password", { body: { secret, password: sent.password, as: "browser" } })),
  );
  return (
    <Looking secret={secret} title="Set a new password">
      {(link) => (
        <Choose
          about={`For ${link.name} (${link.email}). You are signed out everywhere else.`}
          done="Set it and sign in"
          error={enter.error}
          pending={enter.isPending}
          onChosen={enter.mutate}
        />
      )}
    </Looking>
  );
}

interface Choice {
  about: string;
  named?: boolean;
  done: string;
  error: Error | null;
  pending: boolean;
  onChosen: (chosen: { name: string; password: string }) => void;
}

function Choose({ about, named = false, done, error, pending, onChosen }: Choice) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChosen({ name, password });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{about}</Text>
        {named && (
          <TextInput
            label="Your name"
            name="name"
            description="As others see it; leave it empty to keep the one you were invited with."
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label="Password"
          name="password"
          description="At least twelve characters; a few words in a row are good."
          autoComplete="new-password"
          required
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Told error={error} />
        <Button type="submit" loading={pending}>
          {done}
        </Button>
      </Stack>
    </form>
  );
}
