import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.BAILIWICK_SERVER ?? "http://127.0.0.1:8765";

export default defineConfig({
  plugins: [react()],
  // The server puts a fresh one into every page it hands out.
  html: { cspNonce: "__NONCE__" },
  build: {
    outDir: "../src/bailiwick/web",
    emptyOutDir: true,
    target: "es2024",
    // Nothing is written into the page itself, where the content security policy would refuse it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Charts come in one large piece, fetched when one is drawn.
    chunkSizeWarningLimit: 1500,
  },
  server: { proxy: { "/api": server, "/access/v1": server } },
  // One page for all files: making one for each takes six times as long as the tests.
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: "src/browserless.ts",
    isolate: false,
  },
});
