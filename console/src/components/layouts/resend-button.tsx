import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { describeError, retryAfterSeconds } from '../../lib/api-error.ts';
import { formatCountdown } from '../../lib/format/time.ts';
import { useCountdown } from '../../lib/use-countdown.ts';

interface ResendButtonProps {
  /** Initial wait of the button, in seconds. */
  initialSeconds: number;
  /** Requests another email. @returns seconds until the next request is allowed */
  send: () => Promise<number>;
  children: string;
}

/** Requests another email and shows a countdown until the next request is allowed. */
export function ResendButton({ initialSeconds, send, children }: ResendButtonProps) {
  const [secondsLeft, startFrom] = useCountdown(initialSeconds);
  const [message, setMessage] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const resend = async () => {
    setIsPending(true);
    try {
      startFrom(await send());
      setMessage('We sent a new email.');
    } catch (error) {
      const waitSeconds = retryAfterSeconds(error);
      if (waitSeconds !== null) startFrom(waitSeconds);
      setMessage(describeError(error));
    } finally {
      setIsPending(false);
    }
  };
  return (
    <div className="grid justify-items-center gap-1 text-[13px]">
      <Button
        variant="ghost"
        size="sm"
        disabled={secondsLeft > 0}
        isPending={isPending}
        onClick={() => void resend()}
      >
        {secondsLeft > 0 ? `${children} in ${formatCountdown(secondsLeft)}` : children}
      </Button>
      <output className="text-ink-2">{message}</output>
    </div>
  );
}
