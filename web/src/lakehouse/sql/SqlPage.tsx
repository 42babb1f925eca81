/** The SQL editor: write, run, look at what comes, keep it. */
import { Button, Drawer, Paper, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconLayoutSidebarRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useRef } from "react";
import { Page } from "../../components/Page";
import { Told } from "../../components/Told";
import { useOnce } from "../../runs/once";
import { Aside } from "./Aside";
import { askedQuery, savedQuery, useAsking } from "./asking";
import { isRedrawn, readChoice, shownAs } from "./chart/choice";
import { keepDraft, keepOpened, type Opened } from "./drafts";
import type { Handle } from "./editor/Editor";
import { Outcome } from "./outcome/Outcome";
import type { SqlSearch } from "./routes";
import styles from "./SqlPage.module.css";
import { useSaving } from "./saving/useSaving";
import { Side } from "./side/Side";
import { offsetOf, placeIn } from "./statement";
import { Toolbar } from "./Toolbar";
import { useText } from "./useText";

const Editor = lazy(() => import("./editor/Editor"));
const route = getRouteApi("/inside/sql");

const AS_SAVED = { show: undefined, chart: undefined };

export function SqlPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const editor = useRef<Handle>(null);
  const isWide = useMediaQuery("(min-width: 1120px)", true, { getInitialValueInEffect: false });
  const [sideOpened, { open: openSide, close: closeSide }] = useDisclosure();
  const change = useCallback(
    (changed: Partial<SqlSearch>, replace = false) =>
      void navigate({ search: (before) => ({ ...before, ...changed }), replace }),
    [navigate],
  );
  const open = useCallback(
    (opened: Opened, replace = false) =>
      change({ saved: undefined, query: undefined, ...AS_SAVED, ...opened }, replace),
    [change],
  );
  const goTo = useCallback((opened: Opened) => open(opened, true), [open]);
  const saved = useQuery({ ...savedQuery(search.saved ?? ""), enabled: search.saved !== undefined });
  const keptChart = readChoice(saved.data?.chart);
  const chart = shownAs(search, keptChart);
  const asked = useQuery({ ...askedQuery(search.query ?? ""), enabled: search.query !== undefined });
  const { text, ...draft } = useText({
    saved: search.saved,
    query: search.query,
    savedQuery: saved.data,
    asked: asked.isError ? null : asked.data,
    goTo,
  });
  const run = useAsking(({ id }) => {
    keepOpened({ saved: search.saved, query: id });
    change({ query: id });
  });
  const runOnce = useOnce(run);
  const start = () => {
    const sql = editor.current?.chosen() ?? text ?? "";
    if (sql.trim() !== "") runOnce({ sql, saved: saved.data });
  };
  const saving = useSaving({
    query: saved.data,
    text: text ?? "",
    chart,
    onSaved: ({ id }) => {
      keepDraft(id, undefined);
      // What was saved is nobody's draft any more.
      if (!search.saved) keepDraft(undefined, undefined);
      keepOpened({ saved: id, query: search.query });
      change({ saved: id, ...(chart && AS_SAVED) }, true);
    },
    onDeleted: () => {
      keepDraft(search.saved, undefined);
      keepOpened({});
      goTo({});
    },
  });
  const place = placeIn(asked.data?.problem?.message ?? "");
  const mistake = place && asked.data ? offsetOf(text ?? "", asked.data.sql, place) : undefined;
  const side = (
    <Side
      search={search}
      onSearch={(changed) => change(changed, true)}
      onInsert={(name) => {
        closeSide();
        editor.current?.insert(name);
      }}
      onOpen={(opened) => {
        closeSide();
        open(opened);
      }}
    />
  );
  return (
    <Page
      title="SQL"
      about="Ask the tables you may see, in Spark's SQL."
      actions={
        !isWide && (
          <Button variant="default" leftSection={<IconLayoutSidebarRight size={17} />} onClick={openSide}>
            Tables and queries
          </Button>
        )
      }
    >
      <div className={isWide ? styles.page : `${styles.page} ${styles.narrow}`}>
        <Stack gap="md" miw={0}>
          {saved.error ? (
            <Told error={saved.error} />
          ) : (
            <Paper withBorder className={styles.writing}>
              <Toolbar
                query={saved.data}
                isChanged={
                  saved.data !== undefined &&
                  ((text !== undefined && saved.data.sql !== text) || isRedrawn(chart, keptChart))
                }
                isEmpty={(text ?? "").trim() === ""}
                isStarting={run.isPending}
                saving={saving}
                onRun={start}
                onNew={draft.begin}
                onUndo={() => {
                  draft.undo();
                  change(AS_SAVED, true);
                }}
              />
              <VisuallyHidden id="sql-keys">
                Control Enter runs, Control S saves. Escape and then Tab leaves the editor.
              </VisuallyHidden>
              <div className={styles.editor}>
                {text === undefined ? (
                  <Skeleton height="100%" radius={0} />
                ) : (
                  <Suspense fallback={<Skeleton height="100%" radius={0} />}>
                    <Editor
                      ref={editor}
                      text={text}
                      onText={draft.write}
                      onRun={start}
                      onSave={saving.save}
                      mistake={mistake}
                    />
                  </Suspense>
                )}
              </div>
            </Paper>
          )}
          {draft.aside !== undefined && <Aside text={draft.aside} onBringBack={draft.bringBack} />}
          <Told error={run.error ?? saving.error} />
          <Outcome
            asked={asked.data}
            isOpen={search.query !== undefined}
            error={asked.error}
            chart={chart}
            onShow={(shown) => change(shown, true)}
            onPlace={mistake === undefined ? undefined : () => editor.current?.goTo(mistake)}
            onAgain={start}
          />
        </Stack>
        {isWide && <div className={styles.side}>{side}</div>}
      </div>
      {!isWide && (
        <Drawer opened={sideOpened} onClose={closeSide} position="right" title="Tables and queries" size={340}>
          {side}
        </Drawer>
      )}
      {saving.dialog}
    </Page>
  );
}
