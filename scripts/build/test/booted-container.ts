import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { eventually } from '@oxbow/testkit'

const execute = promisify(execFile)

/** Environment of commands in a container: none of this process, and a path with the tools of root. */
const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
}

/** A Debian system that runs its own systemd. It has a loopback interface and no other network. */
export interface BootedContainer extends AsyncDisposable {
  /** Runs a command as root. Returns its standard output, and throws if the command fails. */
  run(command: string, ...args: string[]): Promise<string>
}

/** Installs a minimal Debian and more packages into an empty folder. Downloads `downloads` only. */
export async function installDebian(root: string, packages: string[], downloads: string[]): Promise<void> {
  const base = ['systemd', 'systemd-sysv', 'dbus', ...packages]
  await execute('debootstrap', ['--variant=minbase', `--include=${base.join(',')}`, 'bookworm', root], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const get = ['apt-get', 'install', '-y', '-qq', '--download-only', '--no-install-recommends', ...downloads]
  await execute('chroot', [root, ...get], { env: environment, maxBuffer: 64 * 1024 * 1024 })
}

/** Boots the Debian system in a folder, and waits until all of its services have started. */
export async function bootContainer(root: string): Promise<BootedContainer> {
  const options = ['--boot', '--private-network', '--register=no', '--keep-unit', '--console=pipe']
  const child = spawn('systemd-nspawn', ['-q', '-D', root, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (chunk) => (output += chunk))
  const exited = new Promise((resolve) => child.on('exit', resolve))
  const findInit = () => {
    if (child.exitCode !== null) throw new Error(`the container did not boot: ${output}`)
    return readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')[0] || undefined
  }
  const run = async (command: string, ...args: string[]) => {
    const init = findInit()
    const { stdout } = await execute('nsenter', ['-t', String(init), '--all', command, ...args], {
      env: environment,
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  }
  const container: BootedContainer = {
    run,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
    },
  }
  try {
    await eventually(findInit)
    // Fails while systemd does not accept requests yet, and while services start.
    const isRunning = () => run('systemctl', 'is-system-running', '--wait').catch(() => false as const)
    await eventually(isRunning, 120_000)
    return container
  } catch (error) {
    await container[Symbol.asyncDispose]()
    throw error
  }
}
