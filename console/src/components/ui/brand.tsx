/** The sign of the house: a gate with its bar up. */
export function BrandMark({ size = 20 }: { size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      className="shrink-0 text-accent"
    >
      <path d="M4 3v14M4 7l13-3M9 6v4" />
      <path d="M2.5 17h3" />
    </svg>
  );
}
