import './ErrorBoundary.css'
import { Component, type ComponentChildren } from 'preact'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'

interface Properties {
  children: ComponentChildren
  /** Rendering is retried when this key changes, for example with the route. */
  resetKey?: string
}

/** Contains a rendering error in one pane, so that the other panes and unsent texts are kept. */
export class ErrorBoundary extends Component<Properties, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static override getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override componentDidUpdate(previous: Properties): void {
    if (previous.resetKey !== this.props.resetKey && this.state.error) this.setState({ error: undefined })
  }

  render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <div class="ErrorBoundary" role="alert">
        <p>{t('pane.broke')}</p>
        <Button icon="refresh-cw" onClick={() => this.setState({ error: undefined })}>
          {t('pane.reload')}
        </Button>
        <details>
          <summary>{t('pane.details')}</summary>
          <code>{String(error)}</code>
        </details>
      </div>
    )
  }
}
