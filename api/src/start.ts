import { availableParallelism } from 'node:os';
import { availableMemoryBytes } from '@tollgate/core/runtime/available-memory';
import { readEnv, workerEnvironment } from './env.ts';
import { countWorkers } from './workers/count-workers.ts';

/**
 * Runs the service in this process, or in several workers that this process supervises.
 * @throws Error with the reason if it does not start
 */
export async function start(): Promise<void> {
  const env = readEnv();
  const workers =
    env.TOLLGATE_WORKER === undefined
      ? countWorkers(env.API_WORKERS, { cores: availableParallelism(), memoryBytes: availableMemoryBytes() })
      : 1;
  // Each path loads only its own modules.
  if (workers > 1) {
    const { supervise } = await import('./workers/supervise.ts');
    return supervise(env, workerEnvironment(), workers);
  }
  const { serve } = await import('./serve.ts');
  return serve(env);
}
