import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { cn } from '../../lib/cn.ts';
import { useHasRole } from '../../lib/current-account.ts';
import { RoundedBalance } from '../../components/ui/rounded-cost.tsx';
import { useSession } from '../../lib/session.ts';
import { trpc, type Billing, type SetupSteps } from '../../lib/trpc.ts';
import { FirstCallSnippet } from './first-call-snippet.tsx';

interface FirstStepsProps {
  accountId: string;
  steps: { hasKey: boolean; hasSucceeded: boolean };
  /** null: the person does not operate the installation. */
  setup: SetupSteps | null;
}

/** Onboarding checklist: for operators up to a model with a price and a route, for all up to the first successful request. */
export function FirstSteps({ accountId, steps, setup }: FirstStepsProps) {
  const { user } = useSession();
  const canCreate = useHasRole('member');
  const canTopUp = useHasRole('admin');
  const billing = useQuery(trpc.billing.get.queryOptions({ accountId })).data;
  const list: StepProps[] = [
    { title: 'Verify your email', isDone: user?.emailVerified === true, children: user?.email },
    ...(setup === null ? [creditStep(billing, canTopUp)] : setupSteps(setup)),
    {
      title: 'Create a key',
      isDone: steps.hasKey,
      action: canCreate && (
        <Button asChild size="sm" variant={steps.hasKey ? 'secondary' : 'primary'}>
          <Link to={paths.keys}>{steps.hasKey ? 'View keys' : 'Create key'}</Link>
        </Button>
      ),
      children: canCreate
        ? 'A key sets which models a program can use and how much it can spend.'
        : 'Ask a member of this account to create a key.',
    },
    {
      title: 'Send a request',
      isDone: steps.hasSucceeded,
      children: !steps.hasSucceeded && (
        <>
          Set <code className="font-mono text-xs">SERVICE_API_KEY</code> to your key and run this in a
          terminal. This page updates automatically after the first response.
          <FirstCallSnippet accountId={accountId} />
        </>
      ),
    },
  ];
  return (
    <Card>
      <section aria-labelledby="first-steps" className="p-5 max-sm:p-4">
        <h2 id="first-steps" className="font-semibold">
          {setup === null ? 'Your first request' : 'Set up this installation'}
        </h2>
        <p className="text-ink-2">
          {list.filter(({ isDone }) => isDone).length} of {list.length} steps done.
        </p>
        <ol className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
          {list.map((step, index) => (
            <Step key={step.title} number={index + 1} {...step} />
          ))}
        </ol>
      </section>
    </Card>
  );
}

/** An operator's requests are not charged by default, so these steps come in place of credit. */
function setupSteps({ hasProvider, hasModel }: SetupSteps): StepProps[] {
  return [
    {
      title: 'Add a provider',
      isDone: hasProvider,
      action: (
        <Button asChild size="sm" variant={hasProvider ? 'secondary' : 'primary'}>
          <Link to={paths.operatorProviders}>{hasProvider ? 'View providers' : 'Add provider'}</Link>
        </Button>
      ),
      children: 'A provider runs the models. Its API key is stored encrypted.',
    },
    {
      title: 'Add a model with a price and a route',
      isDone: hasModel,
      action: (
        <Button asChild size="sm" variant={hasModel || !hasProvider ? 'secondary' : 'primary'}>
          <Link to={paths.operatorModels}>{hasModel ? 'View models' : 'Add model'}</Link>
        </Button>
      ),
      children: 'The price is what accounts pay. The route sets which provider serves the model.',
    },
  ];
}

function creditStep(billing: Billing | undefined, canTopUp: boolean): StepProps {
  const title = 'Add credit';
  if (billing === undefined) return { title, isDone: false };
  if (!billing.plan.isPrepaid)
    return { title, isDone: true, children: 'Your plan does not charge requests to a balance.' };
  const hasCredit = BigInt(billing.availableNanoUsd) > 0n;
  return {
    title,
    isDone: hasCredit,
    action: canTopUp && billing.payments.mode !== 'none' && (
      <Button asChild size="sm">
        <Link to={paths.billing}>{hasCredit ? 'View balance' : 'Top up'}</Link>
      </Button>
    ),
    children: hasCredit ? (
      <>
        <RoundedBalance nanoUsd={billing.availableNanoUsd} /> of credit is available.
      </>
    ) : (
      'The balance is empty. Requests are rejected until you top up.'
    ),
  };
}

interface StepProps {
  title: string;
  isDone: boolean;
  action?: ReactNode;
  children?: ReactNode;
}

function Step({ number, title, isDone, action, children }: StepProps & { number: number }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden
        className={cn(
          'mt-px grid size-[22px] place-items-center rounded-full text-xs font-medium',
          isDone ? 'bg-accent text-accent-ink' : 'bg-sunken text-ink-2',
        )}
      >
        {isDone ? <Check className="size-3.5" strokeWidth={3} /> : number}
      </span>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h3 className={cn('font-medium', isDone && 'text-ink-2')}>
            {title}
            <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
          </h3>
          <div className="text-[13px] text-ink-2">{children}</div>
        </div>
        {action}
      </div>
    </li>
  );
}
