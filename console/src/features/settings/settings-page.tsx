import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Note } from '../../components/ui/note.tsx';
import { useDisplay } from '../../lib/display.ts';
import { useIsViewing } from '../../lib/session.ts';
import { useTwoFactorBar } from '../../lib/two-factor-bar.ts';
import { ChangeEmail } from './change-email.tsx';
import { ChangePassword } from './change-password.tsx';
import { DeleteLogin } from './delete-login.tsx';
import { Display } from './display.tsx';
import { LinkedProviders } from './linked-providers.tsx';
import { Passkeys } from './passkeys/passkeys.tsx';
import { Profile } from './profile.tsx';
import { SecurityEvents } from './security-events.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor/two-factor.tsx';

export function SettingsPage() {
  const isViewing = useIsViewing();
  // The dates on this page change with the time zone.
  useDisplay();
  const isBarred = useTwoFactorBar()?.by === 'installation';
  return (
    <>
      <PageHeader title="Settings">Your profile, security and display.</PageHeader>
      <div className="grid max-w-[880px] gap-4 min-[112rem]:block min-[112rem]:max-w-none min-[112rem]:columns-2 min-[112rem]:*:mb-4 min-[112rem]:*:break-inside-avoid">
        {isBarred ? <Enrolment /> : isViewing ? <LoginOutOfReach /> : <LoginSections />}
        <Display isOwn={!isViewing} />
        {!isViewing && !isBarred && <DeleteLogin />}
      </div>
    </>
  );
}

/** Shown until a required second factor is set up. */
function Enrolment() {
  return (
    <>
      <Note tone="warn">
        This installation requires two-factor authentication for operators. Set up one of these to continue.
      </Note>
      <TwoFactor />
      <Passkeys />
    </>
  );
}

function LoginSections() {
  return (
    <>
      <Profile />
      <ChangeEmail />
      <ChangePassword />
      <TwoFactor />
      <Passkeys />
      <LinkedProviders />
      <Sessions />
      <SecurityEvents />
    </>
  );
}

function LoginOutOfReach() {
  return (
    <Note tone="neutral">
      You cannot change your settings while viewing an account. Exit to return to your settings.
    </Note>
  );
}
