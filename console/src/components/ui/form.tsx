import type { ReactNode } from 'react';
import type { FormEvent, KeyboardEvent } from 'react';
import { cn } from '../../lib/cn.ts';

interface FormProps {
  onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void> | void;
  onKeyDown?: (event: KeyboardEvent<HTMLFormElement>) => void;
  className?: string;
  children: ReactNode;
}

/** A form whose fields are checked by our own schemas, not by the browser. */
export function Form({ onSubmit, onKeyDown, className, children }: FormProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut of the whole form
    <form
      noValidate
      className={cn(className)}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit(event);
      }}
      onKeyDown={onKeyDown}
    >
      {children}
    </form>
  );
}
