import { Command } from 'commander';
import { addAccountCreate } from './commands/account/create.ts';
import { addAccountCredit } from './commands/account/credit.ts';
import { addAccountList } from './commands/account/list.ts';
import { addAccountSetPlan } from './commands/account/set-plan.ts';
import { addAccountShow } from './commands/account/show.ts';
import { addAccountSuspend } from './commands/account/suspend.ts';
import { addAccountTwoFactor } from './commands/account/two-factor.ts';
import { addDemoSeed } from './commands/demo/seed.ts';
import { addDoctor } from './commands/doctor.ts';
import { addKeyCreate } from './commands/key/create.ts';
import { addKeyList } from './commands/key/list.ts';
import { addKeyRevoke } from './commands/key/revoke.ts';
import { addKeyShow } from './commands/key/show.ts';
import { addLedgerDrift } from './commands/ledger/drift.ts';
import { addLedgerPost } from './commands/ledger/post.ts';
import { addLedgerRecover } from './commands/ledger/recover.ts';
import { addLedgerVerify } from './commands/ledger/verify.ts';
import { addMigrate } from './commands/migrate.ts';
import { addModelAdd } from './commands/model/add.ts';
import { addModelCatalogue } from './commands/model/catalogue.ts';
import { addModelList } from './commands/model/list.ts';
import { addModelRemove } from './commands/model/remove.ts';
import { addModelUpdateRates } from './commands/model/update-rates.ts';
import { addPlanAdd } from './commands/plan/add.ts';
import { addPlanList } from './commands/plan/list.ts';
import { addPlanRemove } from './commands/plan/remove.ts';
import { addPlanUpdate } from './commands/plan/update.ts';
import { addProviderAdd } from './commands/provider/add.ts';
import { addProviderList } from './commands/provider/list.ts';
import { addProviderMembers } from './commands/provider/members.ts';
import { addProviderPresets } from './commands/provider/presets.ts';
import { addProviderRemove } from './commands/provider/remove.ts';
import { addProviderTest } from './commands/provider/test-provider.ts';
import { addRouteAdd } from './commands/route/add.ts';
import { addRouteList } from './commands/route/list.ts';
import { addRouteRemove } from './commands/route/remove.ts';
import { addSecretsReplace } from './commands/secrets/replace.ts';
import { addSettingsSet, addSettingsShow } from './commands/settings.ts';
import { addUsage } from './commands/usage.ts';
import { addUserReset2fa } from './commands/user/reset-2fa.ts';
import { addUserVerifyEmail } from './commands/user/verify-email.ts';

const AFTER = `
Works on DATABASE_URL, or on the embedded database of DATA_DIR (default .data), running or not.
Every command takes --json. Errors go to stderr; exit code 1, and 2 for a command typed wrong.

Examples:
  $ tollgate account create --email you@example.com --verified --operator
  $ tollgate key create --account you@example.com --name laptop --max-budget 5 --expires 30d
  $ tollgate usage --group-by day`;

/** Every command of \`tollgate\`, group by group; nothing is written or exited by commander itself. */
export function createProgram(): Command {
  const program = new Command('tollgate')
    .description("The operator's command line of Tollgate, the self-hosted model API gateway.")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, outputError: () => undefined })
    .helpCommand(false)
    .addHelpText('after', AFTER);
  const group = (name: string, about: string, members: readonly ((group: Command) => void)[]) => {
    const command = program.command(name).summary(about).description(`${about}.`).helpCommand(false);
    for (const add of members) add(command);
  };
  group('account', 'People and the accounts that own keys', [
    addAccountCreate,
    addAccountList,
    addAccountShow,
    addAccountCredit,
    addAccountSetPlan,
    addAccountSuspend,
    addAccountTwoFactor,
  ]);
  group('user', 'The logins of people, where they cannot help themselves', [
    addUserReset2fa,
    addUserVerifyEmail,
  ]);
  group('settings', 'What operators decide for the whole installation', [addSettingsShow, addSettingsSet]);
  group('key', 'API keys, each with a scope fixed when it is created', [
    addKeyCreate,
    addKeyList,
    addKeyRevoke,
    addKeyShow,
  ]);
  group('plan', 'What accounts may use, how fast, and how they pay', [
    addPlanAdd,
    addPlanList,
    addPlanUpdate,
    addPlanRemove,
  ]);
  group('provider', 'Where requests go', [
    addProviderAdd,
    addProviderList,
    addProviderMembers,
    addProviderPresets,
    addProviderRemove,
    addProviderTest,
  ]);
  group('model', 'What callers name, and what it costs', [
    addModelAdd,
    addModelCatalogue,
    addModelList,
    addModelUpdateRates,
    addModelRemove,
  ]);
  group('route', 'Which provider answers for a model', [addRouteAdd, addRouteList, addRouteRemove]);
  addUsage(program);
  group('ledger', 'Holds, balances and what was billed', [
    addLedgerVerify,
    addLedgerDrift,
    addLedgerPost,
    addLedgerRecover,
  ]);
  group('demo', 'Something to look at', [addDemoSeed]);
  group('secrets', 'The key under which credentials are stored', [addSecretsReplace]);
  addMigrate(program);
  addDoctor(program);
  return program;
}
