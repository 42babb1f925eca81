/** How answers are kept: shown at once where they are known, and asked for again, since rights and data change. */
import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./client";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refused it refuses again; what did not reach it may reach it now.
      retry: (failures, error) =>
        failures < 2 && error instanceof Problem && (error.status === 0 || error.status === 503),
    },
  },
});
