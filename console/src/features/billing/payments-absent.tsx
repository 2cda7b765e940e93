import { Card } from '../../components/ui/card.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { useSession } from '../../lib/session.ts';

/** Explains how to add credit without a payment provider. */
export function PaymentsAbsent() {
  const { user } = useSession();
  const email = user?.email ?? '';
  const command = `npx tollgate account credit --email ${email} --amount 20 --reason "paid by invoice"`;
  return (
    <Card className="px-5 py-3.5 max-sm:px-4">
      <h2 className="font-medium">Payments are not set up</h2>
      {user?.isOperator === true ? (
        <>
          <p className="mt-0.5 text-[13px] text-ink-2">
            Add credit from the command line. To accept card payments, set <Code>STRIPE_SECRET_KEY</Code> and{' '}
            <Code>STRIPE_WEBHOOK_SECRET</Code> and restart the console.
          </p>
          <div className="mt-2.5 flex items-center gap-2">
            <code className="min-w-0 flex-1 rounded-lg bg-sunken px-2.5 py-[7px] font-mono text-[12.5px] break-words">
              {command}
            </code>
            <CopyButton text={command} label="Copy command" isIconOnly variant="ghost" size="icon" />
          </div>
        </>
      ) : (
        <p className="mt-0.5 text-[13px] text-ink-2">
          Ask the operator to add credit. Give them the owner&rsquo;s email and the amount.
        </p>
      )}
    </Card>
  );
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-[12.5px] text-ink">{children}</code>;
}
