import type { Command } from 'commander';
import { addCredentialAdd } from './credential-add.ts';
import { addCredentialList } from './credential-list.ts';
import { addCredentialRemove } from './credential-remove.ts';
import { addCredentialRestore } from './credential-restore.ts';
import { addCredentialWeight } from './credential-weight.ts';

const ABOUT = 'Manage several credentials of one provider';

export function addProviderCredential(provider: Command): void {
  const credential = provider
    .command('credential')
    .summary(ABOUT)
    .description(`${ABOUT}.`)
    .helpCommand(false);
  for (const add of [
    addCredentialAdd,
    addCredentialList,
    addCredentialRemove,
    addCredentialRestore,
    addCredentialWeight,
  ])
    add(credential);
}
