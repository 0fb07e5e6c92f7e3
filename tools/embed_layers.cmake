# cmake -DFOLDER=models/layers -DOUT=layer_texts.cpp -P embed_layers.cmake: the layers as constants.
set(code "// Made by tools/embed_layers.cmake from models/layers.\n#include <string_view>\n\nnamespace knead::syntax {\n")
foreach(layer amp argparse attention autograd characters containers contexts distributed
    distributions einops einops_layers expressions functional hub init nn operators optim queues
    random_numbers threads timm torchvision utils vision)
  file(READ ${FOLDER}/${layer}.py text)
  string(APPEND code "\nextern const std::string_view ${layer}_text;\nconst std::string_view ${layer}_text = R\"layer(${text})layer\";\n")
endforeach()
file(WRITE ${OUT} "${code}\n}  // namespace knead::syntax\n")
