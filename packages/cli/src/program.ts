import { Command } from 'commander';
import { addAccountCreate } from './commands/account/create.ts';
import { addAccountCredit } from './commands/account/credit.ts';
import { addAccountList } from './commands/account/list.ts';
import { addAccountSetPlan } from './commands/account/set-plan.ts';
import { addAccountShow } from './commands/account/show.ts';
import { addAccountSuspend } from './commands/account/suspend.ts';
import { addAccountStoredResponses } from './commands/account/stored-responses.ts';
import { addAccountTwoFactor } from './commands/account/two-factor.ts';
import { addAuditList } from './commands/audit/list.ts';
import { addConnect } from './commands/connect.ts';
import { addDemoSeed } from './commands/demo/seed.ts';
import { addDoctor } from './commands/doctor.ts';
import { addKeyCreate } from './commands/key/create.ts';
import { addKeyList } from './commands/key/list.ts';
import { addKeyRevoke } from './commands/key/revoke.ts';
import { addKeyRotate } from './commands/key/rotate.ts';
import { addKeyShow } from './commands/key/show.ts';
import { addLedgerDrift } from './commands/ledger/drift.ts';
import { addLedgerPost } from './commands/ledger/post.ts';
import { addLedgerRecover } from './commands/ledger/recover.ts';
import { addLedgerVerify } from './commands/ledger/verify.ts';
import { addMigrate } from './commands/migrate.ts';
import { addModelAdd } from './commands/model/add.ts';
import { addModelCatalogue } from './commands/model/catalogue.ts';
import { addModelFallbacks } from './commands/model/fallbacks.ts';
import { addModelList } from './commands/model/list.ts';
import { addModelRemove } from './commands/model/remove.ts';
import { addModelRouting } from './commands/model/routing.ts';
import { addModelUpdateRates } from './commands/model/update-rates.ts';
import { addPatternAdd } from './commands/pattern/add.ts';
import { addPatternList } from './commands/pattern/list.ts';
import { addPatternRemove } from './commands/pattern/remove.ts';
import { addPlanAdd } from './commands/plan/add.ts';
import { addPlanList } from './commands/plan/list.ts';
import { addPlanRemove } from './commands/plan/remove.ts';
import { addPlanUpdate } from './commands/plan/update.ts';
import { addProviderAdd } from './commands/provider/add.ts';
import { addProviderList } from './commands/provider/list.ts';
import { addProviderConnection } from './commands/provider/connection.ts';
import { addProviderCredential } from './commands/provider/credential-commands.ts';
import { addProviderUpdate } from './commands/provider/update.ts';
import { addProviderMembers } from './commands/provider/members.ts';
import { addOwnCredentials } from './commands/provider/own-credentials.ts';
import { addProviderPresets } from './commands/provider/presets.ts';
import { addProviderRemove } from './commands/provider/remove.ts';
import { addProviderTest } from './commands/provider/test-provider.ts';
import { addRequestShow } from './commands/request/show.ts';
import { addRouteAdd } from './commands/route/add.ts';
import { addRouteList } from './commands/route/list.ts';
import { addRouteRemove } from './commands/route/remove.ts';
import { addRouteServedNames } from './commands/route/served-names.ts';
import { addRouteUpdate } from './commands/route/update.ts';
import { addSearch } from './commands/search.ts';
import { addSecretsReplace } from './commands/secrets/replace.ts';
import { addSettingsSet, addSettingsShow } from './commands/settings.ts';
import { addUsage } from './commands/usage.ts';
import { addUserReset2fa } from './commands/user/reset-2fa.ts';
import { addUserVerifyEmail } from './commands/user/verify-email.ts';
import { readInvocation } from './env.ts';
import { asTyped } from './output/as-typed.ts';

const AFTER = `
Uses the database at DATABASE_URL, or the embedded database in DATA_DIR (default .data).
If the embedded database is not running, the command starts it and stops it at the end.
If there is no embedded database, commands that add or set something create it. Other commands fail.
Every command accepts --json. Errors go to stderr. Exit code 1 means failure, 2 a usage error.

Examples:
  $ tollgate account create --email you@example.com --verified --operator
  $ tollgate key create --account you@example.com --name laptop --max-budget 5 --expires 30d
  $ tollgate usage --group-by day`;

/** Creates the commands of \`tollgate\`. Commander itself neither writes errors nor exits. */
export function createProgram(): Command {
  const program = new Command(readInvocation())
    .description('Command line for operators of Tollgate, a self-hosted model API gateway.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void process.stdout.write(asTyped(text)),
      writeErr: () => undefined,
      outputError: () => undefined,
    })
    .helpCommand(false)
    .addHelpText('after', AFTER);
  const group = (name: string, about: string, members: readonly ((group: Command) => void)[]) => {
    const command = program.command(name).summary(about).description(`${about}.`).helpCommand(false);
    for (const add of members) add(command);
  };
  group('account', 'Manage accounts and their owners', [
    addAccountCreate,
    addAccountList,
    addAccountShow,
    addAccountCredit,
    addAccountSetPlan,
    addAccountSuspend,
    addAccountStoredResponses,
    addAccountTwoFactor,
  ]);
  group('user', 'Help users who cannot sign in', [addUserReset2fa, addUserVerifyEmail]);
  group('audit', 'Show what operators and the command line did', [addAuditList]);
  group('settings', 'Show and change installation settings', [addSettingsShow, addSettingsSet]);
  group('key', 'Manage API keys', [addKeyCreate, addKeyList, addKeyRevoke, addKeyRotate, addKeyShow]);
  group('plan', 'Manage plans: allowed models, rate limits and billing', [
    addPlanAdd,
    addPlanList,
    addPlanUpdate,
    addPlanRemove,
  ]);
  group('provider', 'Manage model providers', [
    addProviderAdd,
    addProviderList,
    addProviderConnection,
    addProviderCredential,
    addProviderMembers,
    addOwnCredentials,
    addProviderPresets,
    addProviderRemove,
    addProviderTest,
    addProviderUpdate,
  ]);
  group('model', 'Manage models and their prices', [
    addModelAdd,
    addModelCatalogue,
    addModelList,
    addModelUpdateRates,
    addModelRouting,
    addModelFallbacks,
    addModelRemove,
  ]);
  group('route', 'Manage routes from models to providers', [
    addRouteAdd,
    addRouteList,
    addRouteUpdate,
    addRouteServedNames,
    addRouteRemove,
  ]);
  group('pattern', 'Manage patterns of models that a provider serves', [
    addPatternAdd,
    addPatternList,
    addPatternRemove,
  ]);
  addConnect(program);
  addUsage(program);
  addSearch(program);
  group('request', 'Show requests', [addRequestShow]);
  group('ledger', 'Verify, post and recover ledger records', [
    addLedgerVerify,
    addLedgerDrift,
    addLedgerPost,
    addLedgerRecover,
  ]);
  group('demo', 'Add demo data', [addDemoSeed]);
  group('secrets', 'Manage the encryption key', [addSecretsReplace]);
  addMigrate(program);
  addDoctor(program);
  return program;
}
