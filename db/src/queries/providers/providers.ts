import { asc, count, eq } from 'drizzle-orm';
import { providers, routes } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';

export type Provider = typeof providers.$inferSelect;

/** How the provider is reached. */
export type ConnectionColumns = Pick<Provider, 'proxy' | 'proxySealed' | 'caCertificates' | 'http2'>;

/** Settings with defaults. */
type ProviderTuning = {
  [
    Name in
      | 'preset'
      | 'settings'
      | 'connectTimeoutMs'
      | 'firstByteTimeoutMs'
      | 'idleTimeoutMs'
      | 'totalTimeoutMs'
      | 'maxConcurrency'
      | 'headersSealed'
      | 'headerNames'
      | keyof ConnectionColumns
  ]?: Provider[Name] | undefined;
};

/** @returns null if another provider has the name */
export async function addProvider(
  db: Connection,
  input: {
    /** Made by the caller, because the credential is sealed for it. */
    id: string;
    name: string;
    dialect: Exclude<Provider['dialect'], 'demo'>;
    baseUrl: string;
    /** null: the provider requires none. */
    credentialSealed: Buffer | null;
  } & ProviderTuning,
  actorUserId: string | null = null,
): Promise<Provider | null> {
  return inTransaction(db, async (tx) => {
    const [provider] = await tx.drizzle
      .insert(providers)
      .values(input)
      .onConflictDoNothing({ target: providers.name })
      .returning();
    if (provider === undefined) return null;
    const { id: subject, credentialSealed: _, headersSealed: __, ...rest } = input;
    const detail = { ...rest, ...connectionDetail(rest) };
    await recordAudit(tx, { actorUserId, action: 'provider.add', subject, detail });
    return provider;
  });
}

export type ProviderChange = Pick<
  Provider,
  | 'baseUrl'
  | 'settings'
  | 'connectTimeoutMs'
  | 'firstByteTimeoutMs'
  | 'idleTimeoutMs'
  | 'totalTimeoutMs'
  | 'maxConcurrency'
> & {
  /** Absent: the credential stays; null: it is deleted. */
  credentialSealed?: Buffer | null;
  /** Absent: the headers stay as they are. */
  headers?: Pick<Provider, 'headersSealed' | 'headerNames'>;
  /** Absent: the connection stays as it is. */
  connection?: Partial<ConnectionColumns>;
};

/** The parts of a connection for the audit log: no sealed address, and no certificates. */
function connectionDetail(connection: {
  [Name in keyof ConnectionColumns]?: ConnectionColumns[Name] | undefined;
}) {
  const { proxy, caCertificates, http2 } = connection;
  return {
    ...(proxy !== undefined && { proxy }),
    proxySealed: undefined,
    caCertificates: caCertificates === undefined || caCertificates === null ? undefined : 'set',
    ...(http2 !== undefined && { http2 }),
  };
}

/** Changes a provider; its name, its preset and its dialect stay. @returns false if there is no provider of that id */
export async function changeProvider(
  db: Connection,
  change: { id: string; terms: ProviderChange; actorUserId: string | null },
): Promise<boolean> {
  const { id, actorUserId } = change;
  const { headers, connection, ...terms } = change.terms;
  return inTransaction(db, async (tx) => {
    // A credential that is given takes the place of the environment's.
    const source = terms.credentialSealed === undefined ? {} : { credentialEnv: null };
    const before = await holdDescribed(tx, id);
    const changed = await tx.drizzle
      .update(providers)
      .set({ ...terms, ...headers, ...connection, ...source })
      .where(eq(providers.id, id))
      .returning({ id: providers.id });
    if (changed.length === 0) return false;
    const { credentialSealed, ...detail } = terms;
    await recordAudit(tx, {
      actorUserId,
      action: 'provider.change',
      subject: id,
      detail: describeChange(before, {
        ...detail,
        ...(headers && { headerNames: headers.headerNames }),
        ...(connection && connectionDetail(connection)),
        credentialChanged: credentialSealed !== undefined,
      }),
    });
    return true;
  });
}

/** The longest list of members that an operator allows for one provider. */
export const MAX_ALLOWED_MEMBERS = 200;

/**
 * Allows members of requests for a provider, and no longer allows others. Replicas apply it from the next request on.
 * @returns what is allowed now, by name; null if there is no such provider or too many members
 */
export async function changeAllowedMembers(
  db: Connection,
  change: { id: string; allow: readonly string[]; disallow: readonly string[]; actorUserId: string | null },
): Promise<string[] | null> {
  const { id, allow, disallow, actorUserId } = change;
  return inTransaction(db, async (tx) => {
    const [provider] = await tx.drizzle.select().from(providers).where(eq(providers.id, id)).for('update');
    if (provider === undefined) return null;
    const kept = provider.allowedMembers.filter((member) => !disallow.includes(member));
    const allowedMembers = [...new Set([...kept, ...allow])].toSorted();
    if (allowedMembers.length > MAX_ALLOWED_MEMBERS) return null;
    await tx.drizzle.update(providers).set({ allowedMembers }).where(eq(providers.id, id));
    await recordAudit(tx, {
      actorUserId,
      action: 'provider.members',
      subject: id,
      detail: describeChange(provider, { allow: [...allow], disallow: [...disallow], allowedMembers }),
    });
    return allowedMembers;
  });
}

/** Changes only how a provider is reached. @returns false if there is no provider of that id */
export async function changeConnection(
  db: Connection,
  change: { id: string; connection: Partial<ConnectionColumns>; actorUserId: string | null },
): Promise<boolean> {
  const { id, connection, actorUserId } = change;
  return inTransaction(db, async (tx) => {
    const before = await holdDescribed(tx, id);
    const changed = await tx.drizzle
      .update(providers)
      .set(connection)
      .where(eq(providers.id, id))
      .returning({ id: providers.id });
    if (changed.length === 0) return false;
    const detail = describeChange(before, connectionDetail(connection));
    await recordAudit(tx, { actorUserId, action: 'provider.change', subject: id, detail });
    return true;
  });
}

/** Locks a provider, and returns what the audit log may say about it. */
async function holdDescribed(tx: Connection, id: string): Promise<object> {
  const [stored] = await tx.drizzle.select().from(providers).where(eq(providers.id, id)).for('update');
  if (stored === undefined) return {};
  const { credentialSealed: _, headersSealed: __, proxySealed: ___, caCertificates, ...described } = stored;
  return { ...described, caCertificates: caCertificates === null ? null : 'set' };
}

/** Notes that an operator's test of a provider passed. @param modelIds empty: the test listed no models, and known ones stay */
export async function noteTestPassed(
  db: Connection,
  { id, at, modelIds }: { id: string; at: Date; modelIds: readonly string[] },
): Promise<void> {
  await db.drizzle
    .update(providers)
    .set({ testPassedAt: at, ...(modelIds.length > 0 && { modelIds: [...modelIds] }) })
    .where(eq(providers.id, id));
}

/** @returns null if there is no provider of that id */
export async function findProvider(db: Connection, id: string): Promise<Provider | null> {
  const [provider] = await db.drizzle.select().from(providers).where(eq(providers.id, id));
  return provider ?? null;
}

/** By name, with the number of routes that lead to each. */
export async function listProviders(db: Connection): Promise<(Provider & { routes: number })[]> {
  const rows = await db.drizzle
    .select({ provider: providers, routes: count(routes.id) })
    .from(providers)
    .leftJoin(routes, eq(routes.providerId, providers.id))
    .groupBy(providers.id)
    .orderBy(asc(providers.name));
  return rows.map((row) => ({ ...row.provider, routes: row.routes }));
}

export async function findProviderByName(db: Connection, name: string): Promise<Provider | null> {
  const [provider] = await db.drizzle.select().from(providers).where(eq(providers.name, name));
  return provider ?? null;
}

/**
 * Removes a provider and the routes that lead to it.
 * @returns how many routes went with it
 */
export async function removeProvider(
  db: Connection,
  provider: { id: string; name: string },
  actorUserId: string | null = null,
): Promise<{ removedRoutes: number }> {
  return inTransaction(db, async (tx) => {
    const removed = await tx.drizzle
      .delete(routes)
      .where(eq(routes.providerId, provider.id))
      .returning({ id: routes.id });
    await tx.drizzle.delete(providers).where(eq(providers.id, provider.id));
    const detail = { name: provider.name, removedRoutes: removed.length };
    await recordAudit(tx, { actorUserId, action: 'provider.remove', subject: provider.id, detail });
    return { removedRoutes: removed.length };
  });
}
