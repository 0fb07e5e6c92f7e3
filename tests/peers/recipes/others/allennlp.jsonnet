local lr = 0.001;
{
  "dataset_reader": {"type": "small"},
  "model": {"type": "tagger"},
  "trainer": {"num_epochs": 9}
}
