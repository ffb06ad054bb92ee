defmodule IoSwitch do
  @moduledoc "Two tasks pass a byte to and fro over a pair of Unix stream sockets."

  def main do
    Corobench.run("io-switch", [m: 1], fn %{params: %{m: m}, trace: trace} = program ->
      pair = connect()
      :corobench.repeat(program, fn _ -> alternate(pair, m, trace) end)
    end)
  end

  # OTP has no socketpair; what a listener accepted and what connected to it are such a pair. An abstract name leaves no file behind.
  defp connect do
    options = [:binary, active: false]
    address = {:local, <<0>> <> "corobench-" <> System.pid()}
    {:ok, listener} = :gen_tcp.listen(0, [{:ifaddr, address} | options])
    {:ok, left} = :gen_tcp.connect(address, 0, options)
    {:ok, right} = :gen_tcp.accept(listener)
    :ok = :gen_tcp.close(listener)
    {left, right}
  end

  defp alternate({left, right}, m, trace) do
    tasks = [Corobench.async(trace, 0, fn -> ask(left, m, 0) end), Corobench.async(trace, 1, fn -> answer(right, m, 0) end)]
    {finished, messages} = Corobench.await_all(tasks, trace)
    {div(messages, 2), [finished: finished, messages: messages]}
  end

  # How many bytes came back.
  defp ask(_, 0, received), do: received

  defp ask(socket, m, received) do
    :ok = :gen_tcp.send(socket, "x")
    {:ok, bytes} = :gen_tcp.recv(socket, 1)
    ask(socket, m - 1, received + byte_size(bytes))
  end

  # How many bytes came, and were sent back.
  defp answer(_, 0, received), do: received

  defp answer(socket, m, received) do
    {:ok, bytes} = :gen_tcp.recv(socket, 1)
    :ok = :gen_tcp.send(socket, bytes)
    answer(socket, m - 1, received + byte_size(bytes))
  end
end
