# Compiles the sources of several folders into one: `elixir build.exs OUTPUT FOLDER...`. A warning is an error.
[output | folders] = System.argv()
File.mkdir_p!(output)
# A module that was built here before would be loaded, and the compiler warn that it is defined anew.
output |> Path.join("*.beam") |> Path.wildcard() |> Enum.each(&File.rm!/1)
Code.prepend_path(output)

for folder <- folders, file <- Path.wildcard(Path.join(folder, "*.erl")) do
  {:ok, _} = :compile.file(String.to_charlist(file), [:debug_info, :warnings_as_errors, :report, outdir: String.to_charlist(output)])
end

files = for folder <- folders, file <- Path.wildcard(Path.join(folder, "*.ex")), do: file
{:ok, _, warnings} = Kernel.ParallelCompiler.compile_to_path(files, output)
if warnings != [], do: exit({:shutdown, 1})
