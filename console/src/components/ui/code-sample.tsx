import { CodeBlock } from './code-block.tsx';
import { CopyButton } from './copy-button.tsx';

interface CodeSampleProps {
  label: string;
  code: string;
  onCopied?: () => void;
}

/** Code with a button that copies it. */
export function CodeSample({ label, code, onCopied }: CodeSampleProps) {
  return (
    <div className="relative [&_pre]:pr-12">
      <CodeBlock label={label} code={code} />
      <div className="absolute top-[3px] right-[3px] rounded-lg bg-sunken">
        <CopyButton
          key={code}
          text={code}
          label={`Copy: ${label}`}
          isIconOnly
          variant="ghost"
          size="icon"
          {...(onCopied !== undefined && { onCopied })}
        />
      </div>
    </div>
  );
}
