import { Building2, HeartPulse, Layers, Mails, Plug, Receipt, Tags } from 'lucide-react';
import { paths } from '../../app/paths.ts';
import { RailLink, RailSection } from './rail-link.tsx';

const LINKS = [
  { to: paths.operatorAccounts, icon: Building2, label: 'Accounts' },
  { to: paths.operatorProviders, icon: Plug, label: 'Providers' },
  { to: paths.operatorModels, icon: Tags, label: 'Models and prices' },
  { to: paths.operatorPlans, icon: Layers, label: 'Plans' },
  { to: paths.operatorPayments, icon: Receipt, label: 'Payments' },
  { to: paths.operatorMails, icon: Mails, label: 'Mails' },
  { to: paths.operatorSystem, icon: HeartPulse, label: 'System' },
] as const;

/** What only those see who run the installation. */
export function OperatorLinks({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  return (
    <>
      <RailSection>Operator</RailSection>
      {LINKS.map(({ to, icon, label }) => (
        <RailLink key={to} to={to} icon={icon} onNavigate={onNavigate}>
          {label}
        </RailLink>
      ))}
    </>
  );
}
