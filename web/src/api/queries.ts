/** How answers are kept and asked for again. */
import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./client";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the server refused it refuses again; what did not reach it may reach it now.
      retry: (failures, error) =>
        failures < 2 && error instanceof Problem && (error.status === 0 || error.status === 503),
    },
  },
});
