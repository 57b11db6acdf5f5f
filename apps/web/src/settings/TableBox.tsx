import './TableBox.css'

/**
 * A checkbox in a cell of a table. Row and column headers name it visibly, so its label is only for
 * screen readers.
 */
export function TableBox({
  label,
  isOn,
  onChange,
}: {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <label class="TableBox">
      <input
        class="TableBox-box"
        type="checkbox"
        aria-label={label}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </label>
  )
}
