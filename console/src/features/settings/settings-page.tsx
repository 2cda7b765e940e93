import { PageHeader } from '../../components/layouts/page-header.tsx';
import { ChangeEmail } from './change-email.tsx';
import { ChangePassword } from './change-password.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import { ThemeChoice } from './theme-choice.tsx';

export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings">Your login and how the console looks to you.</PageHeader>
      <div className="grid max-w-[880px] gap-4">
        <ChangeEmail />
        <ChangePassword />
        <ThemeChoice />
        <SignOutEverywhere />
      </div>
    </>
  );
}
