import { AGENTS } from './agents.ts';
import type { Client, ClientId } from './client.ts';
import { EDITORS } from './editors.ts';
import { SDKS } from './sdks.ts';

/** Every client with a separate configuration, in the order in which they are listed. */
export const CLIENTS: readonly Client[] = [...AGENTS, ...EDITORS, ...SDKS];

const BY_ID: ReadonlyMap<string, Client> = new Map(CLIENTS.map((client) => [client.id, client]));

/** @returns null if no client has this id */
export function findClient(id: string): Client | null {
  return BY_ID.get(id) ?? null;
}

/** @throws Error if no client has this id, which the types exclude */
export function getClient(id: ClientId): Client {
  const client = findClient(id);
  if (client === null) throw new Error(`There is no client ${id}`);
  return client;
}

/** The families of user agents that a filter names: all of a client, or the one family itself. */
export function listFamilies(filter: string): readonly string[] {
  const client = findClient(filter);
  return client === null ? [filter] : [...client.families, ...client.sharedFamilies];
}

/**
 * The client that a user agent identifies. A request of Aider is found as its SDK: the user agent does not name the program.
 * @param described as `describeClient` returns it: `codex_exec 0.171.0`
 */
export function findDescribedClient(described: string): Client | null {
  const [family = ''] = described.split(' ', 1);
  return CLIENTS.find(({ families }) => families.includes(family)) ?? null;
}

/** The name of a client with its version for people: `codex_exec 0.171.0` is `Codex 0.171.0`. SDKs keep their family. */
export function nameClient(described: string): string {
  const client = findDescribedClient(described);
  if (client === null || client.kind !== 'agent') return described;
  const version = described.split(' ')[1];
  return version === undefined ? client.title : `${client.title} ${version}`;
}
