import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { Button, type ButtonProps } from './button.tsx';

const FEEDBACK_MS = 2_000;

interface CopyButtonProps extends Omit<ButtonProps, 'onCopy'> {
  text: string;
  label: string;
  /** Shows only the icon; the label is for screen readers. */
  isIconOnly?: boolean;
  onCopied?: () => void;
}

/** Copies, and shows the result for two seconds. */
export function CopyButton({ text, label, isIconOnly, onCopied, ...rest }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    const timer = setTimeout(() => setOutcome(null), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    const isCopied = await copyText(text);
    setOutcome(isCopied ? 'copied' : 'refused');
    if (isCopied) onCopied?.();
  };
  const Icon = outcome === 'copied' ? Check : Copy;
  const said = outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Select and copy' : label;
  return (
    <Button
      {...rest}
      onClick={() => void copy()}
      {...(isIconOnly ? { 'aria-label': said, title: said } : {})}
    >
      <Icon aria-hidden className="size-[15px]" />
      {!isIconOnly && said}
      <output className="sr-only">{outcome === 'copied' ? 'Copied' : ''}</output>
    </Button>
  );
}
