import { buildApi } from './build-api.ts';
import { buildConsole } from './build-console.ts';
import { runToTheEnd } from './run-to-the-end.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** `npm run build`: builds the console's app and the api for services that are started separately. */
await runToTheEnd(async ({ stopping: signal }) => {
  for (const [name, build] of [
    ['console', buildConsole],
    ['api', buildApi],
  ] as const) {
    let isBuilt = true;
    await build({
      signal,
      onBuild: () => {
        isBuilt = false;
        say(`Building the ${name}…`);
      },
    });
    say(isBuilt ? `The ${name} build is up to date.` : `The ${name} is built.`);
  }
});
