import { PageHeader } from '../../components/layouts/page-header.tsx';
import { ChangeEmail } from './change-email.tsx';
import { ChangePassword } from './change-password.tsx';
import { ConfirmIdentity } from './confirm-identity.tsx';
import { DeleteLogin } from './delete-login.tsx';
import { LinkedProviders } from './linked-providers.tsx';
import { Passkeys } from './passkeys/passkeys.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import { TwoFactor } from './two-factor/two-factor.tsx';

export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings">Your login and how the console looks to you.</PageHeader>
      <div className="grid max-w-[880px] gap-4">
        <Profile />
        <ChangeEmail />
        <ChangePassword />
        <TwoFactor />
        <Passkeys />
        <LinkedProviders />
        <Sessions />
        <ThemeChoice />
        <DeleteLogin />
      </div>
      <ConfirmIdentity />
    </>
  );
}
