/** A part of the home page, with the way to all of it. */
import { Group, Paper, Skeleton, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Told } from "../components/Told";

interface Props<Answer> {
  title: string;
  all?: ReactNode;
  of: UseQueryResult<Answer>;
  isEmpty: (answer: Answer) => boolean;
  empty: ReactNode;
  children: (answer: Answer) => ReactNode;
}

export function Section<Answer>({ title, all, of, isEmpty, empty, children }: Props<Answer>) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {all}
      </Group>
      {of.isPending && <Skeleton height={60} />}
      <Told error={of.error} />
      {of.data !== undefined &&
        (isEmpty(of.data) ? (
          <Text size="sm" c="dimmed">
            {empty}
          </Text>
        ) : (
          children(of.data)
        ))}
    </Paper>
  );
}
