import './TableBox.css'

/** A checkbox in a cell of a table. Its row and column are its visible names, so that the label is only spoken. */
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
