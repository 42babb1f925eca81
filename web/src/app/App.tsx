/** What every page stands in: look, answers, dialogs, addresses. */
import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { queryClient } from "../api/queries";
import { router } from "./router";
import { theme, variables } from "./theme";

// Styles that are made while the app runs carry it, or the content security policy refuses them.
const nonce = document.querySelector<HTMLElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          {/* above dialogs, below lists that open: what is just being chosen from is not covered */}
          <Notifications position="bottom-right" zIndex={250} />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
