import type { RefObject } from 'react';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { Input } from '../../../components/ui/input.tsx';

interface SecretFieldProps {
  secret: string;
  buttonRef: RefObject<HTMLButtonElement | null>;
  /** Called when the key is copied by the button or manually. */
  onCopied: () => void;
}

/** The full key, selected on focus, with a Copy button. */
export function SecretField({ secret, buttonRef, onCopied }: SecretFieldProps) {
  return (
    <div className="flex gap-2 max-sm:flex-col">
      <Input
        readOnly
        aria-label="The new key"
        value={secret}
        onFocus={(event) => event.currentTarget.select()}
        onCopy={onCopied}
        className="font-mono text-[12.5px] text-ellipsis pointer-coarse:text-[12.5px]"
      />
      <CopyButton
        text={secret}
        label="Copy"
        variant="primary"
        className="min-w-24"
        ref={buttonRef}
        onCopied={onCopied}
      />
    </div>
  );
}
