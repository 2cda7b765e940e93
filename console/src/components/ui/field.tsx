import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';

interface FieldControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** Sits at the end of the label's line, e.g. a link. */
  aside?: ReactNode;
  children: (control: FieldControlProps) => ReactNode;
}

/** A label, a control, and under it either a hint or what is wrong: both are read out with the control. */
export function Field({ label, hint, error, aside, children }: FieldProps) {
  const id = useId();
  const messageId = `${id}-message`;
  const hasMessage = error !== undefined || hint !== undefined;
  return (
    <div className="min-w-0">
      <div className="mb-[5px] flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-[13px] font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-describedby': hasMessage ? messageId : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      <FieldMessage id={messageId} hint={hint} error={error} />
    </div>
  );
}

/** The line under a control. */
export function FieldMessage(props: { id: string; hint?: ReactNode; error?: string | undefined }) {
  const { id, hint, error } = props;
  if (error !== undefined) {
    return (
      <p id={id} role="alert" className="mt-1 flex items-start gap-1.5 text-[12.5px]/[18px] text-danger">
        <CircleAlert aria-hidden className="mt-[2.5px] size-[13px] shrink-0" />
        {error}
      </p>
    );
  }
  if (hint === undefined) return null;
  return (
    <p id={id} className="mt-1 text-[12.5px]/[18px] text-ink-3">
      {hint}
    </p>
  );
}
