/** A chart. What draws it is fetched when there is one to be drawn. */
import { Loader, Text, useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import type { TopLevelSpec } from "vega-lite";

interface Props {
  /** What is drawn; its size and colours are the app's. */
  spec: TopLevelSpec;
  height?: number;
  /** The chart in words. */
  description: string;
}

export function Chart({ spec, height = 400, description }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize();
  const [state, setState] = useState<"waiting" | "drawn" | "failed">("waiting");
  const dark = useComputedColorScheme("light") === "dark";
  const wide = Math.floor(width);
  useEffect(() => {
    const into = place.current;
    if (!into || wide === 0) return;
    let end: (() => void) | undefined;
    let isOver = false;
    import("./chart/draw")
      .then(({ draw }) => {
        if (isOver) return;
        end = draw(into, spec, { width: wide, height }, dark);
        setState("drawn");
      })
      .catch(() => isOver || setState("failed"));
    return () => {
      isOver = true;
      end?.();
      into.replaceChildren();
    };
  }, [spec, wide, height, dark]);
  return (
    <figure ref={ref} aria-label={description} style={{ margin: 0, minHeight: height }}>
      {state === "waiting" && <Loader size="sm" />}
      {state === "failed" && <Text c="dimmed">This cannot be drawn. Choose other columns.</Text>}
      <div ref={place} data-drawn={state === "drawn"} />
    </figure>
  );
}
