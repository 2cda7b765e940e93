import { buildConsole } from './build-console.ts';
import { runToTheEnd } from './run-to-the-end.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** `npm run build`: builds the console for services that are started separately. */
await runToTheEnd(async (signals) => {
  let isBuilt = true;
  await buildConsole({
    signal: signals.stopping,
    onBuild: () => {
      isBuilt = false;
      say('Building the console…');
    },
  });
  say(isBuilt ? 'The console build is up to date.' : 'Console built.');
});
