import { installationSettings } from '../../schema/installation.ts';
import type { Connection } from '../../transaction.ts';

/** Who may sign up. `domains`: email addresses of those domains, which are in lower case. */
export interface SignUpPolicy {
  signUp: 'open' | 'domains' | 'closed';
  domains: string[];
}

export async function readSignUpPolicy(db: Connection): Promise<SignUpPolicy> {
  const [settings] = await db.drizzle
    .select({ signUp: installationSettings.signUp, domains: installationSettings.signUpDomains })
    .from(installationSettings);
  if (settings === undefined) throw new Error('The installation has no settings');
  return settings;
}
