import { createId } from '@tollgate/core/runtime/ids';
import postgres from 'postgres';
import { explainDatabaseError } from '../../explain/explain-database-error.ts';
import { StartFailure } from '../../start-failure.ts';

const SAMPLES_OF_EACH = 20;

/** A sealed value, and the context that opening it needs. */
interface SealedSample {
  sealed: Buffer;
  context: string;
}

/** The database's record of its encryption key. */
export interface KeyCheck {
  /** null: no service has started on this database since checks are stored. */
  read(): Promise<Buffer | null>;
  /** Stores the check of the key unless one exists. @returns the stored check */
  store(value: Buffer): Promise<Buffer>;
  /** The newest values that are sealed, in a database without a check. */
  listSealed(): Promise<SealedSample[]>;
}

/** Opens a connection for the time of `work`; before the query builder is loaded. @throws StartFailure */
export async function withKeyCheck<T>(url: string, work: (check: KeyCheck) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  const read = async () => {
    const [row] = await sql<{ value: Buffer }[]>`SELECT value FROM encryption_key_check`;
    return row?.value ?? null;
  };
  try {
    return await work({
      read,
      async store(value) {
        await sql`INSERT INTO encryption_key_check (value) VALUES (${value}) ON CONFLICT DO NOTHING`;
        return (await read()) ?? value;
      },
      // The contexts that the values are sealed with.
      listSealed: () => sql<SealedSample[]>`
        (SELECT credential_sealed AS sealed, 'provider:' || id AS context FROM providers
          WHERE credential_sealed IS NOT NULL ORDER BY id DESC LIMIT ${SAMPLES_OF_EACH})
        UNION ALL
        (SELECT credential_sealed, 'provider:' || provider_id FROM provider_credentials
          WHERE credential_sealed IS NOT NULL ORDER BY id DESC LIMIT ${SAMPLES_OF_EACH})
        UNION ALL
        (SELECT credential_sealed, 'own credential:' || account_id || ':' || provider_id FROM own_credentials
          ORDER BY changed_at DESC LIMIT ${SAMPLES_OF_EACH})
        UNION ALL
        (SELECT headers_sealed, 'provider headers:' || id FROM providers
          WHERE headers_sealed IS NOT NULL ORDER BY id DESC LIMIT ${SAMPLES_OF_EACH})
        UNION ALL
        (SELECT proxy_sealed, 'provider proxy:' || id FROM providers
          WHERE proxy_sealed IS NOT NULL ORDER BY id DESC LIMIT ${SAMPLES_OF_EACH})
        UNION ALL
        (SELECT secret_sealed, 'totp:' || user_id FROM totp_secrets ORDER BY created_at DESC LIMIT ${SAMPLES_OF_EACH})
        UNION ALL
        (SELECT body_sealed, 'mail:' || id FROM outbox
          WHERE body_sealed IS NOT NULL ORDER BY id DESC LIMIT ${SAMPLES_OF_EACH})`,
    });
  } catch (error) {
    throw explainDatabaseError(error, url);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @param source origin of the key: `ENCRYPTION_KEY`, or the path of secrets.json */
export function wrongEncryptionKey(source: string): StartFailure {
  return new StartFailure(
    `The key in ${source} is not the one of this database: provider credentials, authenticator apps, recovery codes, logged payloads and unsent emails cannot be read with it`,
    'Set the key that the installation was started with. If it is lost, `tollgate secrets replace --accept-loss` deletes what only that key can read.',
  );
}

/** Counts of the values that were deleted because their key is lost. */
export interface LostSecrets {
  providers: number;
  authenticators: number;
  emails: number;
  payloads: number;
  responses: number;
}

/**
 * Deletes everything that is sealed, in one transaction, and makes `value` the check of the new key. Users whose
 * authenticator app is removed are signed out.
 * @throws StartFailure while services are connected: they would keep sealing with the old key
 */
export async function replaceKeyCheck(url: string, value: Buffer): Promise<LostSecrets> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    const services = await sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'tollgate changes%'`;
    if (services.length > 0)
      throw new StartFailure(
        'Services are running on this database',
        'Stop every api and console, then run this again.',
      );
    return await sql.begin(async (tx) => {
      const providers =
        await tx`UPDATE providers SET credential_sealed = NULL, headers_sealed = NULL, header_names = '{}',
          proxy_sealed = NULL, proxy = CASE WHEN proxy_sealed IS NULL THEN proxy END
        WHERE credential_sealed IS NOT NULL OR headers_sealed IS NOT NULL OR proxy_sealed IS NOT NULL`;
      await tx`DELETE FROM provider_credentials WHERE credential_sealed IS NOT NULL`;
      await tx`DELETE FROM own_credentials`;
      await tx`DELETE FROM sessions WHERE user_id IN (SELECT user_id FROM totp_secrets)`;
      await tx`DELETE FROM recovery_codes`;
      const authenticators = await tx`DELETE FROM totp_secrets`;
      await tx`DELETE FROM one_time_codes WHERE used_at IS NULL AND code_hash IS NOT NULL`;
      const emails =
        await tx`UPDATE outbox SET body_sealed = NULL, last_error = 'The encryption key was replaced'
        WHERE body_sealed IS NOT NULL`;
      const payloads = await tx`DELETE FROM request_bodies`;
      const responses = await tx`DELETE FROM stored_responses`;
      await tx`INSERT INTO encryption_key_check (value) VALUES (${value})
        ON CONFLICT (id) DO UPDATE SET value = excluded.value, stored_at = now()`;
      const lost = {
        providers: providers.count,
        authenticators: authenticators.count,
        emails: emails.count,
        payloads: payloads.count,
        responses: responses.count,
      };
      await tx`INSERT INTO audit_log (id, action, subject, detail)
        VALUES (${createId('aud')}, 'installation.key_replaced', 'installation', ${tx.json(lost)})`;
      return lost;
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
