/** Every test that `npm test`, `npm run test:chaos` and `npm run test:clients` run together. */
export const EVERY_TEST = [
  '{api,db,docs}/**/*.test.ts',
  'packages/*/src/**/*.test.ts',
  'scripts/*.test.mjs',
  'console/{server,src}/**/*.test.ts',
];

/** `npm run test:chaos`: floods, kills, whole installations, and replays at every byte. They need real time. */
export const CHAOS = [
  'api/test/chaos/*.test.ts',
  'api/test/websocket/websocket-attacks.test.ts',
  'api/src/routes/prepare-{fallbacks,large}.test.ts',
  'api/src/runtime/{connection-limits,node}.test.ts',
  'api/src/stored/{response-store,storing-exchange}.test.ts',
  'api/test/faults/{after-terminator,disconnect-drain,faults,hedging,left-before-response,shared-places}.test.ts',
  'api/test/faults/{revoked-responses,routing-policy,stream-commit,stream-cuts,translated-cuts}.test.ts',
  'api/test/load/*.test.ts',
  'api/test/money/corpus/*.test.ts',
  'api/test/money/{dropped-reasoning,odd-usage,unseen-output}.test.ts',
  'api/test/requests/kept-bodies.test.ts',
  'api/test/routing/*.test.ts',
  'api/test/stored/{background,conversation-limits,stored-memory}.test.ts',
  'console/server/http/database-watch.test.ts',
  'console/server/jobs/{outages,scheduler,start-jobs}.test.ts',
  'console/server/live/replicas.test.ts',
  'console/server/main.test.ts',
  'db/src/embedded/*.test.ts',
  'db/src/explain/explain.test.ts',
  'db/src/schema-history/upgrade.test.ts',
  'packages/cli/src/{examples,installation,run-command-line}.test.ts',
  'packages/cli/src/commands/secrets/replace.test.ts',
  'packages/cli/src/connect/confirm.test.ts',
  'packages/cli/src/start/{full-disk,main,one-installation}.test.ts',
  'packages/dialects/src/outline/build-outline.test.ts',
  'packages/ledger/src/{checkpoints,ledger-model,heartbeat-monitor,outages,stampede}.test.ts',
  'packages/limits/src/redis/{replicas,same-answers}.test.ts',
];

/** `npm run test:clients`: coding agents and Python clients, which are programs of others and need minutes to start. */
export const CLIENTS = [
  'api/test/agents/clis/{codex-socket,coding-agents}.test.ts',
  'api/test/python/*.test.ts',
];

/** The part of `CHAOS` that compares short times, or depends on the order of packets: it fails next to other work. */
export const CLOCKED_CHAOS = [
  'api/test/chaos/{fault-matrix,latency-routing}.test.ts',
  'api/test/faults/faults.test.ts',
];

/** The files that take longest. They start first, so that the last one does not run alone. */
export const LONGEST = [
  'api/test/requests/{bad-input,one-meaning}.test.ts',
  'packages/dialects/src/conformance-by-chance.test.ts',
  'packages/dialects/src/input-tokens/bound-input-tokens.test.ts',
  'packages/upstreams/src/transport/leaks.test.ts',
  'console/server/payments/webhooks.test.ts',
  'api/test/requests/kept-bodies.test.ts',
  'console/server/router.test.ts',
  'api/src/{routes/completions,request-body/parse-in-thread}.test.ts',
  'api/test/stored/stored-{memory,responses}.test.ts',
  'packages/ledger/src/group-commit.test.ts',
  'console/server/jobs/start-jobs.test.ts',
  'api/test/faults/{after-terminator,disconnect-drain,left-before-response,provider-refusals}.test.ts',
  'api/test/faults/{revoked-responses,tap-recordings}.test.ts',
  'api/test/load/{large-events,large-responses}.test.ts',
  'api/test/money/{provider-turns,recorded-replay,unseen-output}.test.ts',
  'api/test/stored/conversation-limits.test.ts',
  'db/src/schema-history/upgrade.test.ts',
  'packages/cli/src/{examples,installation,run-command-line}.test.ts',
  'packages/cli/src/commands/secrets/replace.test.ts',
  'packages/cli/src/start/{main,one-installation}.test.ts',
];

/** The part of `npm test` that renders components of the console in a simulated browser. */
export const COMPONENTS = ['console/src/**/*.test.tsx'];
