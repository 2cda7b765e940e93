import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startOpenIdServer } from '../server/testing/openid-server.ts';

const FILE = fileURLToPath(import.meta.url);
const factsSchema = z.object({ issuer: z.string(), clientId: z.string(), clientSecret: z.string() });

/** The settings of a provider, which runs in a separate process and is not a library here. */
export async function startOpenIdProvider(
  redirectUri: string,
): Promise<z.infer<typeof factsSchema> & { stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [FILE, redirectUri], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    ended.then(() => Promise.reject(new Error('The sign-in provider did not start'))),
  ]);
  return {
    ...factsSchema.parse(JSON.parse(String(line))),
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const [, started, redirectUri] = process.argv;
if (started === FILE && redirectUri !== undefined) {
  const { issuer, clientId, clientSecret } = await startOpenIdServer([redirectUri], true);
  process.stdout.write(JSON.stringify({ issuer, clientId, clientSecret }));
  // It ends with the process that started it.
  process.stdin.on('end', () => process.exit()).resume();
}
