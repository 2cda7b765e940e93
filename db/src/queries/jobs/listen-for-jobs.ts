import postgres from 'postgres';
import type { Database } from '../../client.ts';
import { JOB_CHANNEL } from './job-settings.ts';

const STOP_TIMEOUT_SECONDS = 1;

export interface JobListener {
  /** A job of this kind was queued. */
  onJob(name: string): void;
  /** Connected (again): jobs in between were missed. */
  onConnected(): void;
}

/**
 * Listens on a separate connection until stopped; a closed connection is reopened. Stopping never waits for a server that
 * does not respond.
 * @throws if the database cannot be reached at first
 */
export async function listenForJobs(db: Database, listener: JobListener): Promise<() => Promise<void>> {
  const client = postgres(db.url, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
    connection: { application_name: 'tollgate jobs' },
  });
  const stop = () => client.end({ timeout: STOP_TIMEOUT_SECONDS });
  try {
    await client.listen(
      JOB_CHANNEL,
      (name) => listener.onJob(name),
      () => listener.onConnected(),
    );
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
