import type { Database } from '@tollgate/db/client';
import { listSetAside } from '@tollgate/db/queries/providers/set-aside-credentials';
import { ok, warn, type Check } from './check.ts';

const NAME = 'Provider credentials';

/** Lists the credentials that their providers refused. */
export async function checkSetAside(db: Database): Promise<Check> {
  const found = await listSetAside(db);
  if (found.length === 0) return ok(NAME, 'none is set aside');
  const names = found.map(
    ({ providerName, label, setAsideCause }) =>
      `${providerName} (${label}): ${setAsideCause === 'no_credit' ? 'no credit' : 'refused'}`,
  );
  return warn(
    NAME,
    `set aside because the provider refused them: ${names.join(', ')}`,
    'replace them or top up the account, then run `tollgate provider credential restore PROVIDER LABEL`',
  );
}
