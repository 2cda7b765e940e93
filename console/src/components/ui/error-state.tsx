import { CloudOff } from 'lucide-react';
import { describeError } from '../../lib/api-error.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

/** What went wrong, with a way to try again in place. */
export function ErrorState(props: {
  title: string;
  error: unknown;
  onRetry: () => void;
  isRetrying?: boolean;
}) {
  return (
    <div role="alert">
      <EmptyState
        icon={CloudOff}
        title={props.title}
        action={
          <Button onClick={props.onRetry} isPending={props.isRetrying ?? false}>
            Try again
          </Button>
        }
      >
        {describeError(props.error)}
      </EmptyState>
    </div>
  );
}
