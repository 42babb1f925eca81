/** When a page cannot be shown: what went wrong, in the server's words, and where to go from here. */
import { Button, Code, Container, Group, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { Problem } from "../api/client";
import { placeOf, placesFor } from "../app/places";
import { meQuery } from "../tenancy/session";
import { ButtonLink } from "./links";

/** From something in a place that is known, such as a table that is not there, the way back is to that place. */
export function NotFound() {
  const { pathname } = useLocation();
  const me = useQueryClient().getQueryData(meQuery.queryKey);
  const place = me && placeOf(placesFor(me), pathname);
  const gone = "is gone, or not for you to see";
  return (
    <Said
      title="There is no such page"
      text={
        place
          ? `Nothing under ${place.name} has this address: it is wrong, or what was there ${gone}.`
          : `The address is wrong, or what was there ${gone}.`
      }
    >
      {place && (
        <ButtonLink to={place.to} variant="light">
          Go to {place.name}
        </ButtonLink>
      )}
      <ButtonLink to="/" variant={place ? "default" : "light"}>
        Go home
      </ButtonLink>
    </Said>
  );
}

/** An address with what is no id at all, one of what is not there, and one of what is hidden all lead here. */
export function Trouble({ error }: { error: unknown }) {
  if (error instanceof Problem && [404, 422].includes(error.status)) return <NotFound />;
  const asked = error instanceof Problem ? error.requestId : "";
  const title =
    error instanceof Problem && error.status === 403 ? "This is not for you to see" : "Something went wrong";
  return (
    <Said title={title} text={error instanceof Error ? error.message : "The page broke."} requestId={asked}>
      <Button component="a" href="/" variant="light">
        Go home
      </Button>
    </Said>
  );
}

interface SaidProps {
  title: string;
  text: string;
  requestId?: string;
  children: ReactNode;
}

function Said({ title, text, requestId = "", children }: SaidProps) {
  useEffect(() => {
    document.title = `${title} · Bailiwick`;
  }, [title]);
  return (
    <Container size="xs" py={96} role="alert">
      <Stack align="flex-start">
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text>{text}</Text>
        {requestId && (
          <Text size="sm" c="dimmed">
            The log has more under <Code>{requestId}</Code>
          </Text>
        )}
        <Group gap="xs">{children}</Group>
      </Stack>
    </Container>
  );
}
